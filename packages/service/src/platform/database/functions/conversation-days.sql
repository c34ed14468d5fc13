-- Triggers that count the conversations and ratings of each day whenever rows are added or deleted.

-- Adds new conversations to the counts of their days. Runs once for each statement, not once for
-- each row.
create or replace function count_added_conversations() returns trigger language plpgsql as $$
begin
  insert into conversation_day as d (project_id, day, answered, unanswered)
    select c.project_id, (c.recorded_at at time zone 'UTC')::date,
           count(*) filter (where c.resolution_status = 'answered'),
           count(*) filter (where c.resolution_status = 'unanswered')
      from changed c group by 1, 2 order by 1, 2
    on conflict (project_id, day) do update
      set answered = d.answered + excluded.answered, unanswered = d.unanswered + excluded.unanswered;
  return null;
end
$$;
create or replace function count_deleted_conversations() returns trigger language plpgsql as $$
begin
  update conversation_day d set answered = d.answered - g.answered, unanswered = d.unanswered - g.unanswered
    from (select c.project_id, (c.recorded_at at time zone 'UTC')::date as day,
                 count(*) filter (where c.resolution_status = 'answered') as answered,
                 count(*) filter (where c.resolution_status = 'unanswered') as unanswered
            from changed c group by 1, 2) g
   where d.project_id = g.project_id and d.day = g.day;
  return null;
end
$$;
create or replace trigger conversations_added after insert on conversation
  referencing new table as changed for each statement execute function count_added_conversations();
create or replace trigger conversations_deleted after delete on conversation
  referencing old table as changed for each statement execute function count_deleted_conversations();

-- Counts a rating on the day of its conversation. The day is read from the id, because the
-- conversation may already be deleted.
create or replace function count_feedback() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    update conversation_day d set helpful = d.helpful - old.is_helpful::integer, unhelpful = d.unhelpful - (not old.is_helpful)::integer
     where d.project_id = old.project_id and d.day = day_of_ulid(old.id);
  end if;
  if tg_op <> 'DELETE' then
    update conversation_day d set helpful = d.helpful + new.is_helpful::integer, unhelpful = d.unhelpful + (not new.is_helpful)::integer
     where d.project_id = new.project_id and d.day = day_of_ulid(new.id);
  end if;
  return null;
end
$$;
create or replace trigger feedback_counted after insert or update or delete on conversation_feedback
  for each row execute function count_feedback();
