-- The first text of this migration had neither of these indexes.
create index deployment_uploading on deployment (created_at) where state = 'uploading';
create index deployment_published on deployment (project_id, published_at) where published_at is not null;
