public import Emergencies

/// The desk as services know it: by what they need of it.
extension EmergencyDesk: ActiveEmergencies, CallDesk {}

/// The monitor as services know it.
extension VitalsMonitor: ReadingMonitor {}
