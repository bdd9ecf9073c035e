// SPDX-License-Identifier: GPL-2.0
/*
 * An I2C adapter with one device on it that takes every write, keeps it, and needs the time a real bus would need.
 *
 * Unlike the kernel's i2c-stub it speaks plain I2C, so that I2C_RDWR works. What was written stands in debugfs,
 * i2c-labsink/log, as { u64 monotonic_ns; u32 len; u8 data[len] } for each message; a write to that file empties it.
 * Parameters: bus, addr, ns_per_byte, and fail: with 1 nobody answers.
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/i2c.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/vmalloc.h>

static int bus = 1;
module_param(bus, int, 0444);
static unsigned int addr = 0x3c;
module_param(addr, uint, 0644);
static bool fail;
module_param(fail, bool, 0644);
static unsigned int ns_per_byte = 22500; /* 9 bits at 400 kHz */
module_param(ns_per_byte, uint, 0644);

#define LOG_BYTES (8 << 20)
static u8 *log_buf;
static size_t log_len;
static DEFINE_MUTEX(log_lock);
static struct dentry *dir;

static void put(const void *p, size_t n)
{
	memcpy(log_buf + log_len, p, n);
	log_len += n;
}

static int sink_xfer(struct i2c_adapter *adap, struct i2c_msg *msgs, int num)
{
	int i;

	for (i = 0; i < num; i++) {
		struct i2c_msg *m = &msgs[i];
		u64 now = ktime_get_ns();
		u32 len = m->len;

		if (fail || m->addr != addr)
			return -EREMOTEIO; /* as i2c-bcm2835 says it */
		if (m->flags & I2C_M_RD) {
			memset(m->buf, 0, m->len);
			continue;
		}
		mutex_lock(&log_lock);
		if (log_len + sizeof(now) + sizeof(len) + len <= LOG_BYTES) {
			put(&now, sizeof(now));
			put(&len, sizeof(len));
			put(m->buf, len);
		}
		mutex_unlock(&log_lock);
		if (ns_per_byte)
			fsleep(((u64)ns_per_byte * (len + 1)) / 1000);
	}
	return num;
}

static u32 sink_functionality(struct i2c_adapter *adap)
{
	return I2C_FUNC_I2C | I2C_FUNC_SMBUS_EMUL;
}

static const struct i2c_algorithm sink_algorithm = {
	.master_xfer = sink_xfer,
	.functionality = sink_functionality,
};

static struct i2c_adapter adapter = {
	.owner = THIS_MODULE,
	.algo = &sink_algorithm,
	.name = "lab sink",
};

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

static int __init sink_init(void)
{
	int ret;

	log_buf = vzalloc(LOG_BYTES);
	if (!log_buf)
		return -ENOMEM;
	adapter.nr = bus;
	ret = i2c_add_numbered_adapter(&adapter);
	if (ret) {
		vfree(log_buf);
		return ret;
	}
	dir = debugfs_create_dir("i2c-labsink", NULL);
	debugfs_create_file("log", 0600, dir, NULL, &log_fops);
	return 0;
}

static void __exit sink_exit(void)
{
	debugfs_remove_recursive(dir);
	i2c_del_adapter(&adapter);
	vfree(log_buf);
}

module_init(sink_init);
module_exit(sink_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Write-only I2C device for tests");
