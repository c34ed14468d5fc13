-- Projects that come from another cell.

-- Partitions for rows of these days, where there are none: the cell is younger than the other one, or its longest
-- retention is shorter.
create or replace function make_partitions_for(p_table text, p_days date[]) returns integer
language plpgsql as $$
declare
  step interval := case when p_table in ('turn', 'event_hour') then interval '1 day' else interval '1 month' end;
  -- Older conversations are in one partition.
  history_end text := (
    select (regexp_match(pg_get_expr(c.relpartbound, c.oid), $re$TO \('([^']*)'\)$re$))[1]
      from pg_class c where c.oid = to_regclass('conversation_history') and p_table = 'conversation');
  start timestamp;
  made integer := 0;
  bounds text[];
begin
  perform pg_advisory_xact_lock(hashtext('octavo partitions'));
  for start in
    select distinct date_trunc(case step when interval '1 day' then 'day' else 'month' end, d::timestamp)
      from unnest(p_days) d order by 1
  loop
    bounds := case p_table
      when 'event_day' then array[start::date::text, (start + step)::date::text]
      when 'event_hour' then array[(start at time zone 'UTC')::text, ((start + step) at time zone 'UTC')::text]
      else array[ulid_floor(start at time zone 'UTC'), ulid_floor((start + step) at time zone 'UTC')] end;
    continue when bounds[1] < history_end;
    made := made + attach_partition(p_table,
      p_table || '_' || to_char(start, case step when interval '1 day' then 'YYYY_MM_DD' else 'YYYY_MM' end),
      bounds[1], bounds[2])::integer;
  end loop;
  return made;
end
$$;
revoke execute on function make_partitions_for(text, date[]) from public;
