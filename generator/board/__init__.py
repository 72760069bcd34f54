"""Turn a notation of placed designs into networks, breaches, scores and checked claims."""
