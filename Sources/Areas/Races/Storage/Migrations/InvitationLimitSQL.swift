/// What people of a race are told, by the numbers of `RaceNotices`.
enum InvitationLimitSQL {
  static let schema = """
    DROP FUNCTION work_off_race_notice(integer), tell_invited(race_notice, bigint[]);

    -- As before; what `tell_invited` needs is given.
    CREATE FUNCTION work_off_race_notice(
      most integer, invitations_max integer, period interval, failed_mail_lasts interval
    ) RETURNS integer LANGUAGE plpgsql AS $$
    DECLARE
      n race_notice;
      next bigint[];
      given_up integer;
      ended integer;
    BEGIN
      SELECT * INTO n FROM race_notice o
      WHERE o.done_at IS NULL
        AND NOT EXISTS (SELECT FROM race_notice e WHERE e.race = o.race AND e.id < o.id AND e.done_at IS NULL)
      ORDER BY o.next_turn LIMIT 1 FOR UPDATE SKIP LOCKED;
      IF NOT FOUND THEN RETURN 0; END IF;
      IF n.is_told THEN
        PERFORM FROM race WHERE id = n.race FOR NO KEY UPDATE;
        given_up := drop_payments(n.race, most);
        UPDATE race_enrolment e SET state = 5, held_until = NULL, changed_at = n.decided_at
        WHERE e.race = n.race AND e.person IN (
          SELECT o.person FROM race_enrolment o WHERE o.race = n.race AND o.state = 2 LIMIT most);
        GET DIAGNOSTICS ended = ROW_COUNT;
        UPDATE race_notice SET next_turn = clock_timestamp(), done_at = CASE given_up + ended WHEN 0 THEN now() END
        WHERE id = n.id;
        RETURN greatest(given_up + ended, 1);
      END IF;
      SELECT array_agg(c.account ORDER BY c.account) INTO next FROM (
        SELECT account FROM (
          (SELECT account FROM race_organizer
            WHERE race = n.race AND account > n.last_account AND 'organizers' = ANY (n.audience)
            ORDER BY account LIMIT most)
          UNION (SELECT account FROM race_observer
            WHERE race = n.race AND account > n.last_account AND 'observers' = ANY (n.audience)
            ORDER BY account LIMIT most)
          UNION (SELECT person FROM race_invitation
            WHERE race = n.race AND person > n.last_account AND 'invited' = ANY (n.audience)
            ORDER BY person LIMIT most)
          -- Whose place has ended since the decision had one when it was made.
          UNION (SELECT person FROM race_enrolment
            WHERE race = n.race AND person > n.last_account AND 'runners' = ANY (n.audience)
              AND (state IN (1, 2, 3) OR changed_at >= n.decided_at)
            ORDER BY person LIMIT most)
          UNION SELECT u FROM unnest(n.accounts) AS u WHERE u > n.last_account
        ) a ORDER BY account LIMIT most
      ) c;
      IF n.kind = 16 THEN PERFORM tell_invited(n, next, invitations_max, period, failed_mail_lasts); ELSE
        WITH told AS MATERIALIZED (
          -- Nothing is left for an account that is being erased.
          SELECT a.id, a.email FROM account a WHERE a.id = ANY (next) AND a.state = 'active' FOR KEY SHARE
        ), entries AS (
          INSERT INTO notification (account, kind, facts) SELECT t.id, n.kind, n.facts FROM told t
        )
        INSERT INTO email_queue (account, address, kind, facts)
        SELECT t.id, t.email, n.kind, n.facts FROM told t WHERE t.email <> '';
      END IF;
      IF coalesce(cardinality(next), 0) < most THEN
        UPDATE race_notice SET is_told = true, accounts = '{}', next_turn = clock_timestamp(),
          done_at = CASE WHEN n.kind <> 15 THEN now() END
        WHERE id = n.id;
      ELSE
        UPDATE race_notice SET last_account = next[most], next_turn = clock_timestamp() WHERE id = n.id;
      END IF;
      RETURN greatest(coalesce(cardinality(next), 0), 1);
    END $$;

    -- As before; how many invitations of an organiser a person is told of in a period, and for how long no mail goes
    -- where one was refused for good, is given.
    CREATE FUNCTION tell_invited(
      n race_notice, next bigint[], invitations_max integer, period interval, failed_mail_lasts interval
    ) RETURNS void LANGUAGE sql AS $$
      WITH told AS MATERIALIZED (
        SELECT a.id, a.email FROM account a
        WHERE a.id = ANY (next) AND a.state = 'active'
          AND EXISTS (SELECT FROM race_invitation i WHERE i.race = n.race AND i.person = a.id)
          AND NOT EXISTS (SELECT FROM race_invitation_told t WHERE t.race = n.race AND t.person = a.id)
          AND (SELECT count(*) FROM race_invitation_told t
            WHERE t.person = a.id AND t.invited_by = n.author AND t.told_at > now() - period) < invitations_max
        FOR KEY SHARE
      ), noted AS (
        INSERT INTO race_invitation_told (race, person, invited_by) SELECT n.race, t.id, n.author FROM told t
      ), entries AS (
        INSERT INTO notification (account, kind, facts) SELECT t.id, n.kind, n.facts FROM told t
      )
      INSERT INTO email_queue (account, address, kind, facts)
      SELECT t.id, t.email, n.kind, n.facts FROM told t
      WHERE t.email <> '' AND NOT EXISTS (
        SELECT FROM email_queue q WHERE q.account = t.id AND q.address = t.email AND q.state = 'failed'
          AND q.changed_at > now() - failed_mail_lasts);
    $$;
    """
}
