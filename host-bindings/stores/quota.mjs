// A quota that many isolates use up together: a bucket that refills evenly. Arithmetic only; knows no store.

// A token in the units of a level: so a millisecond refills as many units as a minute refills tokens.
const kToken = 60000;
// A clock set back by more than this goes on from there; by less it stands until it has caught up.
const kSetBack = 5000;

/**
 * Takes up to `amount` whole tokens of a bucket {level, at} (undefined = full) that refills `per_minute` and
 * holds `burst`. Returns {bucket, granted, wait_ms}: the bucket afterwards, and where nothing was granted the
 * time until one token is there.
 */
export function takeShare(bucket, now, {amount, per_minute, burst}) {
  const full = burst * kToken;
  const at = bucket && now >= bucket.at - kSetBack ? Math.max(bucket.at, now) : now;
  const since = bucket ? Math.max(0, at - bucket.at) : 0;
  const level = bucket ? Math.min(full, bucket.level + since * per_minute) : full;
  const granted = Math.max(0, Math.min(amount, Math.floor(level / kToken)));
  const left = level - granted * kToken;
  return {
    bucket: { level: left, at },
    granted,
    wait_ms: granted > 0 ? 0 : Math.ceil(at - now + (kToken - left) / per_minute),
  };
}
