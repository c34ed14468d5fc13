-- Advisory locks. Every kind has a class, the first of the two numbers, so locks of different kinds never meet. The second
-- number says which one: 0 where there is only one. An unknown name is an error.
create or replace function lock_class(p_name text) returns integer
language plpgsql immutable strict parallel safe as $$
begin
  case p_name
    -- One migration at a time, before these functions exist: migrate.ts has the number.
    when 'migrate' then return 1;
    -- Held while partitions are created or dropped.
    when 'partitions' then return 2;
    -- Writers of the conversations of a project.
    when 'conversations' then return 3;
    -- Uploads hold it shared, and the collection of blobs holds it alone.
    when 'collection' then return 4;
    -- The first owner is made once.
    when 'set-up' then return 5;
    -- A person who signs in for the first time is made once.
    when 'identity' then return 6;
    -- Changes of who has a domain.
    when 'domain' then return 7;
    -- Writers of a project hold it shared, and the move of the project takes it alone.
    when 'move' then return 8;
    -- Held while a move begins, or while the triggers of the last one are turned off.
    when 'move guard' then return 9;
  end case;
end
$$;

-- The second number for a project. Two projects with the same one wait for each other, and nothing else happens: no
-- transaction holds locks of two projects.
create or replace function lock_key(p_project bigint) returns integer
language sql immutable strict parallel safe as $$
  select (p_project & 2147483647)::integer
$$;
