// GeoLookup
