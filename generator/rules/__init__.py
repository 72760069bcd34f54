"""Rules: Markdown and figures → `Rules`, frozen blocks of text and pictures, which print and screen share."""
