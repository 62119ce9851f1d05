/// The count of wrong passwords, by the numbers of `LogInLock`.
enum LogInLockSQL {
  static let schema = """
    DROP FUNCTION count_log_in(bytea, boolean);

    -- As before; how many wrong passwords in a row lock log-ins, and for how long, is given.
    CREATE FUNCTION count_log_in(
      attempt_key bytea, is_right boolean, wrong_in_a_row integer, lock_time interval
    ) RETURNS bigint LANGUAGE plpgsql AS $$
    DECLARE
      attempt log_in_attempt;
    BEGIN
      INSERT INTO log_in_attempt (key) VALUES (attempt_key)
      ON CONFLICT (key) DO UPDATE SET attempted_at = clock_timestamp() RETURNING * INTO attempt;
      IF attempt.locked_until > clock_timestamp() THEN
        RETURN greatest(1, ceil(extract(epoch FROM attempt.locked_until - clock_timestamp())));
      END IF;
      IF is_right THEN
        DELETE FROM log_in_attempt WHERE key = attempt_key;
      ELSIF attempt.failures + 1 >= wrong_in_a_row THEN
        UPDATE log_in_attempt SET failures = 0, locked_until = clock_timestamp() + lock_time
        WHERE key = attempt_key;
      ELSE
        UPDATE log_in_attempt SET failures = attempt.failures + 1, locked_until = NULL WHERE key = attempt_key;
      END IF;
      RETURN 0;
    END
    $$;
    """
}
