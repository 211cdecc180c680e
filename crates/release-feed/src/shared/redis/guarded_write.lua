-- KEYS[1]: the hash. ARGV: 1 the field that holds the time, 2 the new time, 3 the gap, 4 the gap after a claim that is finished or
-- nothing, 5 how far ahead of this server's time the stored one is believed, 6 whether an ETag is required, 7 that ETag, 8 how long
-- the hash is kept; then fields and their values. Times in milliseconds. Returns 1 if it was written.
local key, field, new = KEYS[1], ARGV[1], tonumber(ARGV[2])
local clock = redis.call('TIME')
local now = tonumber(clock[1]) * 1000 + math.floor(tonumber(clock[2]) / 1000)
local kind = redis.call('TYPE', key)['ok']
local is_ours = kind == 'hash' and redis.call('HGET', key, 'v') == '1'

local function time(name, believed_ahead)
  local text = is_ours and redis.call('HGET', key, name)
  if not text or #text > 15 or not string.find(text, '^[0-9]+$') then return nil end
  local value = tonumber(text)
  return value > 0 and value <= now + believed_ahead and value or nil
end

if ARGV[6] == '1' and not (is_ours and redis.call('HGET', key, 'etag') == ARGV[7]) then return 0 end

local stored = time(field, tonumber(ARGV[5]))
if stored then
  local gap = tonumber(ARGV[3])
  if ARGV[4] ~= '' and math.max(time('fetched_ms', 60000) or 0, time('failed_ms', 60000) or 0) > stored then
    gap = tonumber(ARGV[4])
  end
  if stored + gap > new then return 0 end
end

if kind ~= 'none' and not is_ours then redis.call('DEL', key) end
redis.call('HSET', key, unpack(ARGV, 9))
redis.call('PEXPIRE', key, ARGV[8])
return 1
