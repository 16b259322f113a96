"""What a person with a phone sees and does, and what the household has of it."""
