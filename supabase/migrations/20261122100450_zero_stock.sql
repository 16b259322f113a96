-- An item that comes to zero or below is put on the shopping list, whatever the cause: two devices
-- that each used one, or a client that does not know ledgers (docs/adoption.md, sections 13 and 15).

-- The entry is written at the latest time of the item and its batches and joined, as every device
-- does.
create or replace function larder.want(item public.stock_items) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  entry_id constant uuid := extensions.uuid_generate_v5(
    '6c617264-6572-5000-8000-666f726d6174', 'entry/' || item.id::text);
  at constant text := larder.instant(item.updated_at);
  wanted constant numeric := case
    when item.quantity_full_stock > 0 then item.quantity_full_stock else 1 end;
  entry public.shopping_list_entries;
  writing constant text := coalesce(current_setting('larder.writing', true), '');
  stamps jsonb := '{}';
begin
  select * into entry from public.shopping_list_entries e
  where e.household_id = item.household_id and e.id = entry_id;
  perform set_config('larder.writing', 'stamped', true);
  if entry.id is null then
    insert into public.shopping_list_entries
      (household_id, id, item_id, desired_quantity, unit, user_id, created_at)
    values (
      item.household_id, entry_id, item.id, wanted, coalesce(item.unit, 'piece'), item.user_id,
      item.updated_at);
  elsif entry.is_deleted or not coalesce(entry.is_completed, false) then
    if (entry.desired_quantity, entry.unit) is distinct from
      (wanted, coalesce(item.unit, 'piece'))
    then
      stamps := jsonb_build_object('desiredQuantity', at, 'unit', at);
    end if;
    if entry.is_deleted then
      stamps := stamps || jsonb_build_object('isDeleted', at) || case
        when entry.is_completed is distinct from false
        then jsonb_build_object('isCompleted', at) else '{}' end;
    end if;
    if stamps <> '{}' then
      update public.shopping_list_entries e set
        desired_quantity = wanted, unit = coalesce(item.unit, 'piece'), is_deleted = false,
        is_completed = case when entry.is_deleted then false else e.is_completed end,
        edited = e.edited || stamps
      where e.household_id = item.household_id and e.id = entry_id;
    end if;
  end if;
  perform set_config('larder.writing', writing, true);
end
$$;

create or replace function larder.want_what_ran_out() returns trigger
language plpgsql security definer set search_path = '' set enable_seqscan = off set jit = off
as $$
declare
  item public.stock_items;
begin
  for item in
    select w.* from written w
    join replaced r on r.household_id = w.household_id and r.id = w.id
    where r.quantity_in_stock > 0 and w.quantity_in_stock <= 0
      and not coalesce(w.is_archived, false)
    order by w.household_id, w.id
  loop
    perform larder.want(item);
  end loop;
  return null;
end
$$;
comment on function larder.want_what_ran_out() is
  'Puts items that came to zero or below on the shopping list.';

create or replace trigger want_what_ran_out after update on public.stock_items
  referencing old table as replaced new table as written
  for each statement execute function larder.want_what_ran_out();
