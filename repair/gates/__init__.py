"""Gates: each turns runs or trees into one piece of evidence; gates do not import each other."""
