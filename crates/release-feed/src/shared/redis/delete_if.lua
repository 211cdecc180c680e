-- KEYS[1]: the hash. ARGV: 1 a field, 2 the value that it must still hold. Returns 1 if the hash was deleted.
local is_ours = redis.call('TYPE', KEYS[1])['ok'] == 'hash' and redis.call('HGET', KEYS[1], 'v') == '1'
if not (is_ours and redis.call('HGET', KEYS[1], ARGV[1]) == ARGV[2]) then return 0 end
return redis.call('DEL', KEYS[1])
