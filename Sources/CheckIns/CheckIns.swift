// CheckIns
