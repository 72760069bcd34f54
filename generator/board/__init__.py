"""Turn a notation of placed designs into networks, verdicts, scores and checked claims."""
