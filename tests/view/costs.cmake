# Read by CTest. Begins first: it waits for seconds, which it would do alone at the end.
set_tests_properties(ViewSecurity.SlowAndVanishedClientsHoldNobody PROPERTIES COST 50)
