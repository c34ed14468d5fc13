-- A project that moves to another cell: from then on nothing of it changes here, and readers go on. Only the operator sets it.
alter table project add column moving_since timestamptz;
