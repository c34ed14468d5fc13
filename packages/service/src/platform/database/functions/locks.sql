-- Advisory locks. Each has two numbers. The first number is the class of the lock, so that locks
-- for different purposes never collide. The second number is the locked object, or 0 if the class
-- has only one. An unknown class is an error.
create or replace function lock_class(p_name text) returns integer
language plpgsql immutable strict parallel safe as $$
begin
  case p_name
    -- One migration runs at a time. The functions do not exist yet then, so migrate.ts repeats the
    -- number.
    when 'migrate' then return 1;
    -- Held while partitions are created or dropped.
    when 'partitions' then return 2;
    -- Writers of the conversations of a project.
    when 'conversations' then return 3;
    -- Uploads hold it shared, and the collection of blobs holds it alone.
    when 'collection' then return 4;
    -- Makes sure that the first owner is created once.
    when 'set-up' then return 5;
    -- Makes sure that a person who signs in for the first time is created once.
    when 'identity' then return 6;
    -- Changes of the project that owns a domain.
    when 'domain' then return 7;
    -- Writers of a project hold it shared, and the move of the project takes it alone.
    when 'move' then return 8;
    -- Held while a move begins, or while the triggers of the last one are turned off.
    when 'move guard' then return 9;
  end case;
end
$$;

-- Returns the second number for locks of a project. Two projects with the same number wait for each
-- other, which is harmless, because no transaction holds locks of two projects.
create or replace function lock_key(p_project bigint) returns integer
language sql immutable strict parallel safe as $$
  select (p_project & 2147483647)::integer
$$;
