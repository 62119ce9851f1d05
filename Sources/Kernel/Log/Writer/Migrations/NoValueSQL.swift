/// Which metrics can't be 0, because sensors write that when they have nothing to say.
enum NoValueSQL {
  static let schema = """
    ALTER TABLE metric ADD COLUMN zero_is_no_value boolean NOT NULL DEFAULT false;
    COMMENT ON COLUMN metric.zero_is_no_value IS 'Whether 0 (of a position, latitude and longitude 0) is what sensors write when they have nothing to say: such readings are refused';

    -- A strap that is taken off writes 0 for the heart rate, and whatever else it measures; a receiver without a fix 0 and 0.
    -- Steps can be 0, and so can the samples of an ECG.
    UPDATE metric SET zero_is_no_value = true WHERE name IN (
      'heart_rate', 'systolic_blood_pressure', 'diastolic_blood_pressure', 'blood_glucose', 'body_temperature',
      'blood_oxygen', 'respiratory_rate', 'weight', 'position');
    """
}
