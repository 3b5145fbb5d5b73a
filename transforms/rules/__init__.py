"""What an edit may do: shapes that seldom mend, evidence that a failure asks for, guards that must stay."""
