"""The commands trackme-bridge and trackme-watch."""
