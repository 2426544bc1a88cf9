// RegionService
