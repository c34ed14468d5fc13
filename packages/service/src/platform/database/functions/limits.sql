-- Counts one action of the project in the current window. If the last window is over, a new one
-- begins.
create or replace function count_action(p_action text, p_seconds integer,
  out used integer, out seconds_left integer)
language sql as $$
  insert into action_count as c (project_id, action, began_at, used)
    values (current_project(), p_action, clock_timestamp(), 1)
  on conflict (project_id, action) do update set
    used = case when c.began_at > excluded.began_at - p_seconds * interval '1 second' then c.used + 1 else 1 end,
    began_at = case when c.began_at > excluded.began_at - p_seconds * interval '1 second' then c.began_at else excluded.began_at end
  returning c.used,
    greatest(1, ceil(p_seconds - extract(epoch from clock_timestamp() - c.began_at)))::integer
$$;
