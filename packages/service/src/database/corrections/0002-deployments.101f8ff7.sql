-- The second text of this migration did not have this index.
create index deployment_uploading on deployment (created_at) where state = 'uploading';
