/** The metrics that the server begins with, in the registry's order: for whoever has no session to ask for the registry. */
export const firstMetrics = [
  "heart_rate", "systolic_blood_pressure", "diastolic_blood_pressure", "blood_glucose", "body_temperature", "blood_oxygen",
  "respiratory_rate", "ecg", "steps", "weight", "position",
] as const;
