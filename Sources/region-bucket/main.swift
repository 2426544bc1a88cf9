// Entry point
