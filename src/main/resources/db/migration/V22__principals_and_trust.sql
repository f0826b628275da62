-- Whose rights a subscription acts with: who made it, or who last changed what it does;
-- docs/subscriptions.md, Principal.
alter table subscription rename column creator_id to principal_id;
alter table subscription rename constraint subscription_creator_id_fkey to subscription_principal_id_fkey;
