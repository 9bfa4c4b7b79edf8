-- Projects whose agent jobs a key is for. Null for all, and then its domains are null as well: a key that is limited reaches only what it names.
ALTER TABLE admin_keys ADD COLUMN projects TEXT;
UPDATE admin_keys SET projects = '[]' WHERE domains IS NOT NULL;
