"""Certificates of passed exams: Open Badges 3.0 credentials, their keys, revocation and check."""
