-- All that is new in a household, in one request.

-- A page of all rows that a client has not read, whole as the tables have them:
--   {"newest": {"origin": "…", "versions": {"stock_items": 812, …}}, "since": {"stock_items": 812, …},
--    "rows": {"stock_items": [{…}, …], …}, "older": ["…"], "more": false}
-- `since` is what to ask with next, and `more` says whether to ask at once. `newest` is as in the household's
-- row. `older` has the ids of those items and batches here that have ledger entries from before; who did not
-- know of one reads its ledger as well. Who does not belong to the household gets null.
--
-- Versions become visible in their order, so nothing comes to a place that was read. A ledger comes after what
-- it belongs to, and is written before it; so whoever has read all pages has the ledgers of all. A page ends
-- where it has as many rows, or as many bytes, as it may have, but never between rows of one version.
create or replace function public.news(household uuid, since jsonb default '{}', most integer default 2000)
returns json
language plpgsql stable set search_path = ''
as $$
declare
  bytes_left integer := 4194304;
  taken integer := 0;
  ledgers_read constant bigint := coalesce((since ->> 'quantity_changes')::bigint, 0);
  newest jsonb;
  reached jsonb := coalesce(since, '{}');
  kind_table text;
  last bigint;
  found record;
  lines json[];
  names text[] := '{}';
  parts json[] := '{}';
  older text[] := '{}';
  more boolean := false;
begin
  most := least(greatest(coalesce(most, 2000), 1), 10000);
  select public.newest(h) into newest from public.households h where h.household_id = news.household;
  if newest is null then return null; end if;
  foreach kind_table in array array[
    'households', 'stock_items', 'inventory_items', 'storage_locations', 'products', 'shopping_list_entries',
    'receipts', 'quantity_changes']
  loop
    last := coalesce((since ->> kind_table)::bigint, 0);
    continue when last >= (newest -> 'versions' ->> kind_table)::bigint;
    lines := '{}';
    for found in execute format(
      'select t.version, row_to_json(t) as line, t.id::text, %L as ledger from public.%I t '
        'where t.household_id = $1 and t.version > $2 order by t.version fetch first ($3) rows with ties',
      case kind_table when 'stock_items' then 'StockItem' when 'inventory_items' then 'InventoryItem' end, kind_table)
      using household, last, greatest(most - taken, 0) + 1
    loop
      bytes_left := bytes_left - octet_length(found.line::text);
      more := found.version > last and taken > 0 and (taken >= most or bytes_left < 0);
      exit when more;
      lines := lines || found.line;
      last := found.version;
      taken := taken + 1;
      continue when found.ledger is null or ledgers_read = 0;
      if exists (
        select from public.quantity_changes c
        where c.household_id = news.household and c.entity_type = found.ledger and c.entity_id = found.id::uuid
          and c.version <= ledgers_read)
      then
        older := older || found.id;
      end if;
    end loop;
    if cardinality(lines) > 0 then
      names := names || kind_table;
      parts := parts || array_to_json(lines);
      reached := reached || jsonb_build_object(kind_table, last);
    end if;
    exit when more;
  end loop;
  return json_build_object('newest', newest, 'since', reached,
    'rows', (select coalesce(json_object_agg(p.name, p.part), '{}') from unnest(names, parts) as p (name, part)),
    'older', older, 'more', more);
end
$$;
comment on function public.news(uuid, jsonb, integer) is
  'What is new in a household since the versions of its tables that were read, in pages.';

revoke all on function public.news(uuid, jsonb, integer) from public, anon;
grant execute on function public.news(uuid, jsonb, integer) to authenticated, service_role;
