/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a bus has carried, for tests: { u64 monotonic_ns; u32 len; u8 data[len] } for each write, in a file of debugfs. A
 * write to that file empties it.
 */
#include <linux/debugfs.h>
#include <linux/ktime.h>
#include <linux/mutex.h>
#include <linux/vmalloc.h>

#define LOG_BYTES (8 << 20)
static u8 *log_buf;
static size_t log_len;
static DEFINE_MUTEX(log_lock);
static struct dentry *log_dir;

static void log_put(const void *p, size_t n)
{
	memcpy(log_buf + log_len, p, n);
	log_len += n;
}

/* Keeps a write of two parts, as one; once the log is full it keeps no more. */
static void log_add(u64 at_ns, const void *first, u32 first_len, const void *then, u32 then_len)
{
	u32 len = first_len + then_len;

	mutex_lock(&log_lock);
	if (log_len + sizeof(at_ns) + sizeof(len) + len <= LOG_BYTES) {
		log_put(&at_ns, sizeof(at_ns));
		log_put(&len, sizeof(len));
		log_put(first, first_len);
		log_put(then, then_len);
	}
	mutex_unlock(&log_lock);
}

static ssize_t log_read(struct file *f, char __user *b, size_t n, loff_t *pos)
{
	ssize_t r;

	mutex_lock(&log_lock);
	r = simple_read_from_buffer(b, n, pos, log_buf, log_len);
	mutex_unlock(&log_lock);
	return r;
}

static ssize_t log_write(struct file *f, const char __user *b, size_t n, loff_t *pos)
{
	mutex_lock(&log_lock);
	log_len = 0;
	mutex_unlock(&log_lock);
	return n;
}

static const struct file_operations log_fops = {
	.owner = THIS_MODULE,
	.read = log_read,
	.write = log_write,
	.llseek = default_llseek,
};

static int log_init(const char *name)
{
	log_buf = vzalloc(LOG_BYTES);
	if (!log_buf)
		return -ENOMEM;
	log_dir = debugfs_create_dir(name, NULL);
	debugfs_create_file("log", 0600, log_dir, NULL, &log_fops);
	return 0;
}

static void log_exit(void)
{
	debugfs_remove_recursive(log_dir);
	vfree(log_buf);
}
