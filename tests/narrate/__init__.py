"""The narrator: events as sentences, sentences in English."""
