"""A Supabase on this machine: a real PostgreSQL behind PostgREST's and GoTrue's protocol.

Policies, triggers, constraints and error codes are the database's own. What stands in front of it
speaks the two protocols as far as Larder and a general client use them.
"""
