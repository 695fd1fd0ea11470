"""What streams of files and frames share: tables of named columns, which of them are features, and which the label."""
