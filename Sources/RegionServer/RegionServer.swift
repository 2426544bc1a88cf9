// RegionServer
