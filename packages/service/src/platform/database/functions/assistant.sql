-- Questions to the assistant. Before the model is called, a question is stored together with a
-- lease for the stream that answers it and a reservation of the tokens that the answer may cost.
-- publish_answers ends the lease and the reservation.

-- Accepts a question, or returns which limit rejects it. A question without a query, as in a
-- preview, is not recorded, and its row contains only the lease and the reserved tokens. The row
-- that counts the project's questions is locked until commit, so that two questions cannot both use
-- the rest of a budget. A budget is used up when no tokens are left, and the last answer may exceed
-- it.
create or replace function begin_question(p json, out question_id text, out refusal text, out has_budget boolean)
language plpgsql as $$
declare
  today date := (now() at time zone 'UTC')::date;
  tokens bigint := coalesce((p->>'tokens')::bigint, 0);
  of_day bigint;
  of_month bigint;
  near_day boolean;
  near_month boolean;
  -- A test question of an owner does not count as a question, but its tokens count.
  counted integer := case when (p->>'isTest')::boolean then 0 else 1 end;
begin
  -- The limit of the ticket is checked first, so that a ticket over its limit does not use up the
  -- limit of the project.
  if (select c.used from count_action('assistant ticket ' || (p->>'ticket'), 3600) c) > (p->>'ticketMax')::integer then
    refusal := 'ticket';
    return;
  end if;
  if (select c.used from count_action('assistant', 3600) c) > (p->>'projectMax')::integer then
    refusal := 'project';
    return;
  end if;
  select coalesce(sum(u.used_tokens + u.reserved_tokens) filter (where u.day = today), 0),
         coalesce(sum(u.used_tokens + u.reserved_tokens), 0)
    into of_day, of_month
    from assistant_usage u
   where u.project_id = current_project() and u.day >= date_trunc('month', today::timestamp)::date;
  has_budget := (of_day < (p->>'tokensPerDay')::bigint) is not false
            and (of_month < (p->>'tokensPerMonth')::bigint) is not false;
  if not has_budget then tokens := 0; end if;
  near_day := is_budget_near(of_day + tokens, (p->>'tokensPerDay')::bigint);
  near_month := is_budget_near(of_month + tokens, (p->>'tokensPerMonth')::bigint);
  if near_day or near_month then perform note_budget_use(near_day, near_month); end if;
  insert into assistant_usage as u (project_id, day, questions, reserved_tokens)
    values (current_project(), today, counted, tokens)
    on conflict (project_id, day) do update
      set questions = u.questions + counted, reserved_tokens = u.reserved_tokens + tokens;
  question_id := make_ulid(now_ms(), (random() * 1048575)::integer);
  insert into question (project_id, id, query, thread_id, page_url, deployment_id, lease, leased_until,
      reserved_tokens, reserved_on)
    values (current_project(), question_id, p->>'query', p->>'threadId', p->>'pageUrl', p->>'deploymentId',
      p->>'lease', clock_timestamp() + interval '30 seconds', tokens, today);
end
$$;

-- Accepts questions of one project, one after the other in one transaction.
create or replace function begin_questions(p_questions json) returns json
language plpgsql as $$
begin
  return (
    select json_agg(json_build_object('id', b.question_id, 'refusal', b.refusal, 'hasBudget', b.has_budget) order by q.place)
      from json_array_elements(p_questions) with ordinality q(question, place), begin_question(q.question) b);
end
$$;

-- Renews the leases of questions and saves the text of their answers so far. Returns for each whether
-- it still has the lease.
create or replace function renew_questions(p_leases json) returns json
language plpgsql as $$
declare
  entry record;
  renewed boolean[] := '{}';
begin
  for entry in select l->>'question' as question, l->>'lease' as lease, l->>'text' as text
                 from json_array_elements(p_leases) l loop
    update question set leased_until = clock_timestamp() + interval '30 seconds', saved_text = entry.text
     where project_id = current_project() and id = entry.question and lease = entry.lease
       and conversation_id is null;
    renewed := renewed || found;
  end loop;
  return array_to_json(renewed);
end
$$;

-- Saves a reader's rating of an answer. It replaces an earlier rating. Returns false if the
-- conversation does not exist.
create or replace function add_feedback(p_id text, p_helpful boolean, p_reason text, p_note text)
returns boolean language plpgsql as $$
begin
  insert into conversation_feedback (project_id, id, is_helpful, reason, note)
    select c.project_id, c.id, p_helpful, p_reason, p_note
      from conversation c where c.project_id = current_project() and c.id = p_id
    on conflict (project_id, id) do update
      set at = clock_timestamp(), is_helpful = excluded.is_helpful, reason = excluded.reason, note = excluded.note;
  return found;
end
$$;

-- Deletes the action counts of all projects whose window began more than a day ago. There are many,
-- because each ticket of the assistant has a count. Returns the number of deleted rows.
create or replace function forget_action_counts() returns integer
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  forgotten integer;
begin
  delete from action_count where began_at < now() - interval '1 day';
  get diagnostics forgotten = row_count;
  return forgotten;
end
$$;
revoke execute on function forget_action_counts() from public;
grant execute on function forget_action_counts() to octavo_app;
