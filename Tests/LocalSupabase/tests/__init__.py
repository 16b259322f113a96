"""The local Supabase, tested with Supabase's own public Python client and with plain requests."""
