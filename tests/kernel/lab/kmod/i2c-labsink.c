// SPDX-License-Identifier: GPL-2.0
/*
 * An I2C adapter with one device on it that takes every write, keeps it, and needs the time a real bus would need.
 *
 * Unlike the kernel's i2c-stub it speaks plain I2C, so that I2C_RDWR works. What was written stands in debugfs,
 * i2c-labsink/log, as { u64 monotonic_ns; u32 len; u8 data[len] } for each message; a write to that file empties it.
 * Parameters: bus, addr, ns_per_byte, and fail: with 1 nobody answers.
 */
#include <linux/delay.h>
#include <linux/i2c.h>
#include <linux/module.h>

#include "sink-log.h"

static int bus = 1;
module_param(bus, int, 0444);
static unsigned int addr = 0x3c;
module_param(addr, uint, 0644);
static bool fail;
module_param(fail, bool, 0644);
static unsigned int ns_per_byte = 22500; /* 9 bits at 400 kHz */
module_param(ns_per_byte, uint, 0644);

static int sink_xfer(struct i2c_adapter *adap, struct i2c_msg *msgs, int num)
{
	int i;

	for (i = 0; i < num; i++) {
		struct i2c_msg *m = &msgs[i];
		u64 now = ktime_get_ns();

		if (fail || m->addr != addr)
			return -EREMOTEIO; /* as i2c-bcm2835 says it */
		if (m->flags & I2C_M_RD) {
			memset(m->buf, 0, m->len);
			continue;
		}
		log_add(now, m->buf, m->len, NULL, 0);
		if (ns_per_byte)
			fsleep(((u64)ns_per_byte * (m->len + 1)) / 1000);
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

static int __init sink_init(void)
{
	int ret = log_init("i2c-labsink");

	if (ret)
		return ret;
	adapter.nr = bus;
	ret = i2c_add_numbered_adapter(&adapter);
	if (ret)
		log_exit();
	return ret;
}

static void __exit sink_exit(void)
{
	i2c_del_adapter(&adapter);
	log_exit();
}

module_init(sink_init);
module_exit(sink_exit);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Write-only I2C device for tests");
