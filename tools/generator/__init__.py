"""What tools/generate is made of: the contract as data, then C and Swift from it."""
