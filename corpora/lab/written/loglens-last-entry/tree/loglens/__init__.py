"""loglens - look at log files of our services."""
