// Goes on from the address with the key, which has become a cookie, to the page. A SameSite=Strict cookie comes along on
// reloads only if the page was reached from its own site, and not from a terminal or a file (RFC 6265bis, section 5.2).
location.replace(location.pathname + location.hash);
