// Locations
