/// SQL functions that read the payloads of the log and of chunks, for people at psql and for the view `reading`.
///
/// The format is described at `BlockCodec` in the domain. The functions are immutable, so that they may be used anywhere
/// in a query. For bytes that are no block they raise an error.
enum ReadingBlockSQL {
  /// Creates, or replaces, in the current schema:
  /// - `reading_block_scalars(payload)`: person, metric, source, time_us, value, position
  /// - `reading_block_positions(payload)`: person, metric, source, time_us, latitude, longitude, altitude, accuracy,
  ///   speed, course, position
  /// - `reading_block_waveforms(payload)`: person, metric, source, time_us, rate, samples, position
  ///
  /// `position` is the log position in a chunk's payload and NULL in that of a log row.
  static let functions = columns + sections + tables

  /// Decoding of one column.
  private static let columns = """
    -- The signed little-endian number of `size` bytes at byte `at`.
    CREATE OR REPLACE FUNCTION reading_block_signed(payload bytea, at int, size int) RETURNS bigint
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE
      number bigint := 0;
    BEGIN
      FOR i IN 0 .. size - 1 LOOP
        number := number | (get_byte(payload, at + i)::bigint << (8 * i));
      END LOOP;
      IF size BETWEEN 1 AND 7 AND number >> (8 * size - 1) = 1 THEN
        number := number - (1::bigint << (8 * size));
      END IF;
      RETURN number;
    END $$;

    -- `n` little-endian entries of `width` bytes from byte `at`: unsigned, but signed if they have 8 bytes.
    CREATE OR REPLACE FUNCTION reading_block_entries(payload bytea, at int, n int, width int) RETURNS bigint[]
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    BEGIN
      CASE width
      WHEN 0 THEN
        RETURN array_fill(0::bigint, ARRAY[n]);
      WHEN 1 THEN
        RETURN ARRAY(SELECT get_byte(payload, i)::bigint FROM generate_series(at, at + n - 1) i);
      WHEN 2 THEN
        RETURN ARRAY(SELECT (get_byte(payload, i) | (get_byte(payload, i + 1) << 8))::bigint
          FROM generate_series(at, at + 2 * n - 1, 2) i);
      WHEN 3 THEN
        RETURN ARRAY(SELECT
            (get_byte(payload, i) | (get_byte(payload, i + 1) << 8) | (get_byte(payload, i + 2) << 16))::bigint
          FROM generate_series(at, at + 3 * n - 1, 3) i);
      WHEN 4 THEN
        RETURN ARRAY(SELECT get_byte(payload, i) | (get_byte(payload, i + 1) << 8) | (get_byte(payload, i + 2) << 16)
            | (get_byte(payload, i + 3)::bigint << 24)
          FROM generate_series(at, at + 4 * n - 1, 4) i);
      ELSE
        RETURN ARRAY(SELECT get_byte(payload, i) | (get_byte(payload, i + 1) << 8) | (get_byte(payload, i + 2) << 16)
            | (get_byte(payload, i + 3)::bigint << 24) | (get_byte(payload, i + 4)::bigint << 32)
            | CASE WHEN width > 5 THEN get_byte(payload, i + 5)::bigint << 40 ELSE 0 END
            | CASE WHEN width > 6 THEN get_byte(payload, i + 6)::bigint << 48 ELSE 0 END
            | CASE WHEN width > 7 THEN get_byte(payload, i + 7)::bigint << 56 ELSE 0 END
          FROM generate_series(at, at + width * n - 1, width) i);
      END CASE;
    END $$;

    -- The integer column of `n` entries at byte `at`, and the byte after it.
    CREATE OR REPLACE FUNCTION reading_block_integers(payload bytea, at int, n int, OUT numbers bigint[], OUT after int)
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE
      is_steps constant boolean := get_byte(payload, at) >> 4 = 1;
      width constant int := get_byte(payload, at) & 15;
      base_size constant int := get_byte(payload, at + 1) & 15;
      divisor_size constant int := get_byte(payload, at + 1) >> 4;
      base bigint;
      divisor bigint := 1;
      step bigint;
    BEGIN
      after := at + CASE WHEN is_steps THEN 3 ELSE 2 END;
      base := reading_block_signed(payload, after, base_size);
      after := after + base_size;
      IF divisor_size > 0 THEN
        divisor := reading_block_signed(payload, after, divisor_size);
        after := after + divisor_size;
      END IF;
      IF is_steps THEN
        step := reading_block_signed(payload, after, get_byte(payload, at + 2));
        after := after + get_byte(payload, at + 2);
        IF width = 0 THEN
          numbers := ARRAY(SELECT base + divisor * step * i FROM generate_series(0, n - 1) i);
        ELSE
          -- Entries of steps have at most 3 bytes: as int, their running sum is a bigint and not a numeric.
          numbers := ARRAY(SELECT base + divisor * (step * (i - 1) + sum(entry::int) OVER (ORDER BY i))
            FROM unnest(reading_block_entries(payload, after, n, width)) WITH ORDINALITY AS entries(entry, i)
            ORDER BY i);
        END IF;
      ELSIF width = 0 THEN
        numbers := array_fill(base, ARRAY[n]);
      ELSE
        numbers := reading_block_entries(payload, after, n, width);
        IF base <> 0 OR divisor <> 1 THEN
          numbers := ARRAY(SELECT base + divisor * entry FROM unnest(numbers) AS entry);
        END IF;
      END IF;
      after := after + n * width;
    END $$;

    -- The value column of `n` entries at byte `at`, and the byte after it.
    CREATE OR REPLACE FUNCTION reading_block_values(
      payload bytea, at int, n int, OUT numbers double precision[], OUT after int)
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE
      code constant int := get_byte(payload, at);
      integers bigint[];
      factor double precision;
      unknown bigint;
    BEGIN
      CASE
      WHEN code < 16 THEN
        SELECT i.numbers, i.after INTO integers, after FROM reading_block_integers(payload, at + 1, n) i;
        factor := power(10::double precision, code & 7);
        IF code < 8 THEN
          numbers := ARRAY(SELECT entry / factor FROM unnest(integers) AS entry);
        ELSE
          -- Entry 0, which is the base, stands for NaN.
          unknown := reading_block_signed(payload, at + 3, get_byte(payload, at + 2) & 15);
          numbers := ARRAY(SELECT CASE entry WHEN unknown THEN 'NaN' ELSE entry / factor END
            FROM unnest(integers) AS entry);
        END IF;
      WHEN code = 16 THEN
        numbers := array_fill('NaN'::double precision, ARRAY[n]);
        after := at + 1;
      WHEN code = 17 THEN
        numbers := array_fill(
          (SELECT reading_block_double(bits) FROM unnest(reading_block_entries(payload, at + 1, 1, 8)) AS bits),
          ARRAY[n]);
        after := at + 9;
      WHEN code = 18 THEN
        numbers := ARRAY(SELECT reading_block_double(bits)
          FROM unnest(reading_block_entries(payload, at + 1, n, 8)) AS bits);
        after := at + 1 + 8 * n;
      WHEN code = 19 THEN
        numbers := ARRAY(SELECT reading_block_float(bits)
          FROM unnest(reading_block_entries(payload, at + 1, n, 4)) AS bits);
        after := at + 1 + 4 * n;
      END CASE;
    END $$;

    -- The double with these IEEE 754 bits: sign, 11 bits of exponent, 52 of fraction. All steps are exact.
    CREATE OR REPLACE FUNCTION reading_block_double(bits bigint) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
      SELECT CASE
        WHEN bits >> 52 & 2047 = 2047 THEN CASE
          WHEN bits & 4503599627370495 <> 0 THEN 'NaN'::double precision
          WHEN bits < 0 THEN '-Infinity' ELSE 'Infinity' END
        WHEN bits >> 52 & 2047 = 0 THEN
          (bits & 4503599627370495) * '4.94e-324'::double precision * CASE WHEN bits < 0 THEN -1 ELSE 1 END
        ELSE (bits & 4503599627370495 | 4503599627370496) * power(2::double precision, (bits >> 52 & 2047) - 1075)
          * CASE WHEN bits < 0 THEN -1 ELSE 1 END
      END
    $$;

    -- The float with these IEEE 754 bits: sign, 8 bits of exponent, 23 of fraction. A double holds it exactly.
    CREATE OR REPLACE FUNCTION reading_block_float(bits bigint) RETURNS double precision
    LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
      SELECT CASE
        WHEN bits >> 23 & 255 = 255 THEN CASE
          WHEN bits & 8388607 <> 0 THEN 'NaN'::double precision
          WHEN bits >> 31 = 1 THEN '-Infinity' ELSE 'Infinity' END
        WHEN bits >> 23 & 255 = 0 THEN
          (bits & 8388607) * power(2::double precision, -149) * CASE WHEN bits >> 31 = 1 THEN -1 ELSE 1 END
        ELSE (bits & 8388607 | 8388608) * power(2::double precision, (bits >> 23 & 255) - 150)
          * CASE WHEN bits >> 31 = 1 THEN -1 ELSE 1 END
      END
    $$;

    """

  /// Finding one section: what lies before it is stepped over by its headers.
  private static let sections = """
    -- The byte after the columns at byte `at`, of `n` entries each: `kinds` has i for an integer, v for a value column.
    CREATE OR REPLACE FUNCTION reading_block_skip(payload bytea, at int, n int, kinds text) RETURNS int
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE
      after int := at;
      code int;
      lengths int;
    BEGIN
      FOR column_number IN 1 .. length(kinds) LOOP
        IF substr(kinds, column_number, 1) = 'v' THEN
          code := get_byte(payload, after);
          after := after + 1;
          IF code >= 16 THEN
            after := after + CASE code WHEN 16 THEN 0 WHEN 17 THEN 8 WHEN 18 THEN 8 * n WHEN 19 THEN 4 * n END;
            CONTINUE;
          END IF;
        END IF;
        code := get_byte(payload, after);
        lengths := get_byte(payload, after + 1);
        after := after + 2 + (lengths & 15) + (lengths >> 4) + n * (code & 15)
          + CASE WHEN code >> 4 = 1 THEN 1 + get_byte(payload, after + 2) ELSE 0 END;
      END LOOP;
      RETURN after;
    END $$;

    -- Where a section's columns begin, its count, and whether log positions are in it; no row without the section.
    -- `section` is 1 for scalars, 2 for positions, 4 for waveforms.
    CREATE OR REPLACE FUNCTION reading_block_section(
      payload bytea, section int, OUT at int, OUT n int, OUT samples int, OUT has_log_positions boolean)
    RETURNS SETOF record LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE AS $$
    DECLARE
      flags int;
      log_position text;
    BEGIN
      IF get_byte(payload, 0) <> 1 THEN
        RAISE EXCEPTION 'reading block of unknown version %', get_byte(payload, 0);
      END IF;
      flags := get_byte(payload, 1);
      IF flags & section = 0 THEN RETURN; END IF;
      has_log_positions := flags & 8 <> 0;
      log_position := CASE WHEN has_log_positions THEN 'i' ELSE '' END;
      at := 2;
      IF flags & 1 <> 0 AND section > 1 THEN
        n := reading_block_signed(payload, at, 4);
        at := reading_block_skip(payload, at + 4, n, 'iiiiv' || log_position);
      END IF;
      IF flags & 2 <> 0 AND section > 2 THEN
        n := reading_block_signed(payload, at, 4);
        at := reading_block_skip(payload, at + 4, n, 'iiiivvvvvv' || log_position);
      END IF;
      n := reading_block_signed(payload, at, 4);
      at := at + 4;
      IF section = 4 THEN
        samples := reading_block_signed(payload, at, 4);
        at := at + 4;
      END IF;
      RETURN NEXT;
    END $$;

    """

  /// One row a reading.
  private static let tables = """
    CREATE OR REPLACE FUNCTION reading_block_scalars(payload bytea)
    RETURNS TABLE (person bigint, metric int, source int, time_us bigint, value double precision, "position" bigint)
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE ROWS 1000 COST 1000 AS $$
    DECLARE
      -- Unpacked once: a stored payload would be decompressed again at every byte that is read of it.
      bytes constant bytea := payload || ''::bytea;
      s record; p record; m record; o record; t record; v record;
      positions bigint[];
    BEGIN
      SELECT * INTO s FROM reading_block_section(bytes, 1);
      IF NOT FOUND THEN RETURN; END IF;
      p := reading_block_integers(bytes, s.at, s.n);
      m := reading_block_integers(bytes, p.after, s.n);
      o := reading_block_integers(bytes, m.after, s.n);
      t := reading_block_integers(bytes, o.after, s.n);
      v := reading_block_values(bytes, t.after, s.n);
      IF s.has_log_positions THEN
        SELECT numbers INTO positions FROM reading_block_integers(bytes, v.after, s.n);
      END IF;
      RETURN QUERY SELECT c.p, c.m::int, c.o::int, c.t, c.v, c.l
        FROM unnest(p.numbers, m.numbers, o.numbers, t.numbers, v.numbers, positions) AS c(p, m, o, t, v, l);
    END $$;

    CREATE OR REPLACE FUNCTION reading_block_positions(payload bytea)
    RETURNS TABLE (
      person bigint, metric int, source int, time_us bigint, latitude double precision, longitude double precision,
      altitude double precision, accuracy double precision, speed double precision, course double precision,
      "position" bigint)
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE ROWS 1000 COST 1000 AS $$
    DECLARE
      bytes constant bytea := payload || ''::bytea;
      s record; p record; m record; o record; t record;
      lat record; lon record; alt record; acc record; spd record; crs record;
      positions bigint[];
    BEGIN
      SELECT * INTO s FROM reading_block_section(bytes, 2);
      IF NOT FOUND THEN RETURN; END IF;
      p := reading_block_integers(bytes, s.at, s.n);
      m := reading_block_integers(bytes, p.after, s.n);
      o := reading_block_integers(bytes, m.after, s.n);
      t := reading_block_integers(bytes, o.after, s.n);
      lat := reading_block_values(bytes, t.after, s.n);
      lon := reading_block_values(bytes, lat.after, s.n);
      alt := reading_block_values(bytes, lon.after, s.n);
      acc := reading_block_values(bytes, alt.after, s.n);
      spd := reading_block_values(bytes, acc.after, s.n);
      crs := reading_block_values(bytes, spd.after, s.n);
      IF s.has_log_positions THEN
        SELECT numbers INTO positions FROM reading_block_integers(bytes, crs.after, s.n);
      END IF;
      RETURN QUERY SELECT c.p, c.m::int, c.o::int, c.t, c.lat, c.lon, c.alt, c.acc, c.spd, c.crs, c.l
        FROM unnest(p.numbers, m.numbers, o.numbers, t.numbers, lat.numbers, lon.numbers, alt.numbers, acc.numbers,
          spd.numbers, crs.numbers, positions) AS c(p, m, o, t, lat, lon, alt, acc, spd, crs, l);
    END $$;

    CREATE OR REPLACE FUNCTION reading_block_waveforms(payload bytea)
    RETURNS TABLE (
      person bigint, metric int, source int, time_us bigint, rate double precision, samples double precision[],
      "position" bigint)
    LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE ROWS 100 COST 1000 AS $$
    DECLARE
      bytes constant bytea := payload || ''::bytea;
      s record; p record; m record; o record; t record; r record; counts record; v record;
      positions bigint[];
    BEGIN
      SELECT * INTO s FROM reading_block_section(bytes, 4);
      IF NOT FOUND THEN RETURN; END IF;
      p := reading_block_integers(bytes, s.at, s.n);
      m := reading_block_integers(bytes, p.after, s.n);
      o := reading_block_integers(bytes, m.after, s.n);
      t := reading_block_integers(bytes, o.after, s.n);
      r := reading_block_values(bytes, t.after, s.n);
      counts := reading_block_integers(bytes, r.after, s.n);
      v := reading_block_values(bytes, counts.after, s.samples);
      IF s.has_log_positions THEN
        SELECT numbers INTO positions FROM reading_block_integers(bytes, v.after, s.n);
      END IF;
      RETURN QUERY SELECT c.p, c.m::int, c.o::int, c.t, c.r,
          v.numbers[sum(c.k::int) OVER (ORDER BY c.i) - c.k + 1 : sum(c.k::int) OVER (ORDER BY c.i)], c.l
        FROM unnest(p.numbers, m.numbers, o.numbers, t.numbers, r.numbers, counts.numbers, positions)
          WITH ORDINALITY AS c(p, m, o, t, r, k, l, i)
        ORDER BY c.i;
    END $$;

    """
}
