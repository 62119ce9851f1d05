print("trackme")
