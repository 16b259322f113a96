-- An entry of an item may have a unit of its own (docs/adoption.md, section 13): one that does not convert
-- to the item's is on the list, and no number of it is compared.

-- The entry is written at the latest time of the item and its batches and joined, as every device
-- does.
create or replace function larder.want(item public.stock_items, lack integer) returns void
language plpgsql volatile set search_path = ''
as $$
declare
  entry_id constant uuid := extensions.uuid_generate_v5(
    '6c617264-6572-5000-8000-666f726d6174', 'entry/' || item.id::text);
  at constant text := larder.instant(item.updated_at);
  wanted_unit constant text := coalesce(item.unit, 'piece');
  minimum constant numeric := coalesce(item.quantity_minimum, 0);
  wished constant numeric := greatest(item.quantity_full_stock, minimum);
  wanted constant numeric := case
    when lack = 2 then case when wished > 0 then wished else larder.usual_purchase(item) end
    when wished > minimum then larder.rounded(wished - minimum)
    else minimum
  end;
  entry public.shopping_list_entries;
  factor numeric;
  writing constant text := coalesce(current_setting('larder.writing', true), '');
  stamps jsonb := '{}';
begin
  select * into entry from public.shopping_list_entries e
  where e.household_id = item.household_id and e.id = entry_id;
  factor := larder.factor(coalesce(entry.unit, 'piece'), wanted_unit);
  perform set_config('larder.writing', 'stamped', true);
  if entry.id is null then
    insert into public.shopping_list_entries
      (household_id, id, item_id, desired_quantity, unit, user_id, created_at)
    values (
      item.household_id, entry_id, item.id, wanted, wanted_unit, item.user_id, item.updated_at);
  -- Without a factor the units do not convert: an open entry stays.
  elsif entry.is_deleted or not coalesce(entry.is_completed, false) and factor is not null
    and not (lack = 1 and larder.rounded(coalesce(entry.desired_quantity, 1) * factor) >= wanted)
  then
    if (entry.desired_quantity, entry.unit) is distinct from (wanted, wanted_unit) then
      stamps := jsonb_build_object('desiredQuantity', at, 'unit', at);
    end if;
    if entry.is_deleted then
      stamps := stamps || jsonb_build_object('isDeleted', at) || case
        when entry.is_completed is distinct from false
        then jsonb_build_object('isCompleted', at) else '{}' end;
    end if;
    if stamps <> '{}' then
      update public.shopping_list_entries e set
        desired_quantity = wanted, unit = wanted_unit, is_deleted = false,
        is_completed = case when entry.is_deleted then false else e.is_completed end,
        edited = e.edited || stamps
      where e.household_id = item.household_id and e.id = entry_id;
    end if;
  end if;
  perform set_config('larder.writing', writing, true);
end
$$;
