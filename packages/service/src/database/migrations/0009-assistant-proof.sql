-- Readers of the project compute for a second before they get a ticket.
alter table assistant add column needs_proof boolean not null default false;
