package clip_test

// english and chinese are small libraries about a program that does not exist. SECRET marks what must never
// be quoted.
func english() map[string]string {
	return map[string]string{
		"doc:store.md": `The store
# The store

## Atomic replacement

A write goes to a temporary file beside the target, and the temporary file then replaces the target atomically. It is fast.
The directory is synced with ` + "`fsync`" + ` after each replacement, so that a crash never leaves
half of a write behind. See the following list for details.

` + "```go\n// SECRET code: a write survives a crash because fsync is called after each atomic write.\n```" + `

| step | what SECRET happens to a write in a crash |
| --- | --- |
| 1 | SECRET the write is synced with fsync before a crash can happen. |

## Recovery after a crash

After a crash the store reads its log from the last checkpoint and repeats each write that was acknowledged. A torn record at the
end of the log is dropped, because its write was never acknowledged before the crash. Recovery takes about two seconds for
each gigabyte of log, e.g. four seconds for 2.5 gigabytes.

## See also

- SECRET links about a write that survives a crash with fsync are kept in this list.
`,
		"doc:log.md": `The log
# The log

## Log records

Each write is appended to the log before the store acknowledges it, so that no acknowledged write is lost in a crash. A record
carries a checksum, and a record whose checksum is wrong ends the log. The log is synced with ` + "`fsync`" + ` once for a group of
writes, which makes each write cheaper.

## Checkpoints

A checkpoint copies every write from the log into the store and then truncates the log. Checkpoints run every five minutes, or
when the log has grown to one gigabyte.
` + "\f" + `
## Group commit

Several writers share one ` + "`fsync`" + ` of the log, and each of them is told of its write only when the sync has ended. With group commit
a crash can only lose a write that nobody was told of.
`,
		"doc:disks.md": `Disks and caches
# Disks and caches

Copyright SECRET 2020, all about a write and a crash.

## Write caches

Many disks acknowledge a write when it has reached a volatile cache, and lose it when the power fails in a crash. The store
refuses to start on a disk whose cache ignores ` + "`fsync`" + `, unless it is told that the cache has a battery. A battery keeps
an acknowledged write in the cache for about three days.
`,
		"doc:cooking.md": `Cooking
# Soup

Cut the onions and let them brown slowly in butter. Salt the soup at the very end, since it boils down.
`,
	}
}

func chinese() map[string]string {
	return map[string]string{
		"doc:存储.md": `存储
# 存储

## 原子替换

写入先落到目标旁边的临时文件，然后由临时文件原子地替换目标文件。它很快。
每次替换之后都会对目录执行同步操作，断电也不会留下只写了一半的数据。

` + "```\n// SECRET 代码：写入在断电之后不会丢失数据，因为每次写入都会同步。\n```" + `

| 步骤 | SECRET 写入断电之后的数据 |
| --- | --- |
| 一 | SECRET 写入的数据在断电之前已经同步到磁盘上，不会丢失。 |

## 断电恢复

断电之后，存储从最近的检查点开始读取日志，重做每一次已经确认的写入。日志末尾不完整的记录会被丢弃，因为那次写入从未得到确认。

## 参见

- SECRET 链接：写入的数据在断电之后不会丢失。
`,
		"doc:日志.md": `日志
# 日志

## 日志记录

每次写入在得到确认之前都要先追加到日志，断电不会丢失任何已经确认的数据。每条记录都带有校验和；校验和不正确的记录就是日志的末尾。

## 检查点

检查点把日志中的全部写入复制到存储，然后截断日志。检查点每五分钟运行一次，数据量达到一吉字节时也会运行。
`,
		"doc:磁盘.md": `磁盘缓存
# 磁盘缓存

## 写缓存

很多磁盘在写入到达易失缓存时就予以确认，断电时这部分数据就会丢失。如果磁盘缓存忽略同步操作，存储会拒绝启动。带电池的缓存可以把断电前的写入数据保留三天左右。
`,
		"doc:做菜.md": "做菜\n# 汤\n\n洋葱切碎，用黄油小火慢慢炒到金黄。盐要最后再放，因为汤会越煮越浓。\n",
	}
}
