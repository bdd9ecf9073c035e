// SPDX-License-Identifier: GPL-2.0
/*
 * An SPI bus with one device on it, behind the kernel's own spidev: it takes every transfer, keeps it, and needs the
 * time a real bus would need.
 *
 * A display by SPI has one more line, which says whether a byte is a command or a part of the picture. So what was
 * written stands in debugfs, spi-labsink/log, as the same display would be sent it by I2C (i2c-labsink.c): { u64
 * monotonic_ns; u32 len; u8 control; u8 data[len - 1] } for each transfer, control being 0x40 while that line is high,
 * else 0x00. A write to that file empties it. Parameter: dc, the line's number on the chip that calls itself a
 * Raspberry Pi's.
 */
#include <linux/debugfs.h>
#include <linux/delay.h>
#include <linux/gpio/driver.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/platform_device.h>
#include <linux/spi/spi.h>
#include <linux/vmalloc.h>

static unsigned int dc = 25;
module_param(dc, uint, 0644);

#define LOG_BYTES (8 << 20)
static u8 *log_buf;
static size_t log_len;
static DEFINE_MUTEX(log_lock);
static struct dentry *dir;
static struct platform_device *parent;

static void put(const void *p, size_t n)
{
	memcpy(log_buf + log_len, p, n);
	log_len += n;
}

static int is_labelled(struct gpio_chip *chip, void *label)
{
	return !strcmp(chip->label, label);
}

static bool line_is_high(void)
{
	struct gpio_chip *chip = gpiochip_find("pinctrl-bcm2711", is_labelled);

	return chip && dc < chip->ngpio && chip->get(chip, dc) > 0;
}

static int sink_transfer_one(struct spi_controller *bus, struct spi_device *device, struct spi_transfer *t)
{
	u64 now = ktime_get_ns();
	u32 len = t->len + 1;
	u8 control = line_is_high() ? 0x40 : 0x00;

	if (t->rx_buf)
		memset(t->rx_buf, 0, t->len);
	if (t->tx_buf) {
		mutex_lock(&log_lock);
		if (log_len + sizeof(now) + sizeof(len) + len <= LOG_BYTES) {
			put(&now, sizeof(now));
			put(&len, sizeof(len));
			put(&control, 1);
			put(t->tx_buf, t->len);
		}
		mutex_unlock(&log_lock);
	}
	if (t->speed_hz)
		fsleep(div_u64((u64)t->len * 8 * USEC_PER_SEC, t->speed_hz));
	return 0;
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

static int __init sink_init(void)
{
	struct spi_board_info info = {
		.modalias = "dh2228fv", /* one of the names that spidev answers to */
		.max_speed_hz = 32000000,
	};
	struct spi_controller *bus;
	int ret;

	log_buf = vzalloc(LOG_BYTES);
	if (!log_buf)
		return -ENOMEM;
	parent = platform_device_register_simple("spi-labsink", PLATFORM_DEVID_NONE, NULL, 0);
	if (IS_ERR(parent)) {
		ret = PTR_ERR(parent);
		goto no_parent;
	}
	bus = spi_alloc_master(&parent->dev, 0);
	if (!bus) {
		ret = -ENOMEM;
		goto no_bus;
	}
	bus->bus_num = 0;
	bus->num_chipselect = 1;
	bus->mode_bits = SPI_CPOL | SPI_CPHA | SPI_CS_HIGH | SPI_NO_CS;
	bus->transfer_one = sink_transfer_one;
	ret = spi_register_controller(bus);
	if (ret) {
		spi_controller_put(bus);
		goto no_bus;
	}
	if (!spi_new_device(bus, &info))
		dev_warn(&parent->dev, "no device\n");
	dir = debugfs_create_dir("spi-labsink", NULL);
	debugfs_create_file("log", 0600, dir, NULL, &log_fops);
	return 0;

no_bus:
	platform_device_unregister(parent);
no_parent:
	vfree(log_buf);
	return ret;
}

/* after spidev itself, whatever the order of the drivers */
late_initcall(sink_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Write-only SPI device for tests");
