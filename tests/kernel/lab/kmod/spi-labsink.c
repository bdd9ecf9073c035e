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
#include <linux/delay.h>
#include <linux/gpio/driver.h>
#include <linux/module.h>
#include <linux/platform_device.h>
#include <linux/spi/spi.h>

#include "sink-log.h"

static unsigned int dc = 25;
module_param(dc, uint, 0644);

static struct platform_device *parent;

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
	u8 control = line_is_high() ? 0x40 : 0x00;

	if (t->rx_buf)
		memset(t->rx_buf, 0, t->len);
	if (t->tx_buf)
		log_add(now, &control, 1, t->tx_buf, t->len);
	if (t->speed_hz)
		fsleep(div_u64((u64)t->len * 8 * USEC_PER_SEC, t->speed_hz));
	return 0;
}

static int __init sink_init(void)
{
	struct spi_board_info info = {
		.modalias = "dh2228fv", /* one of the names that spidev answers to */
		.max_speed_hz = 32000000,
	};
	struct spi_controller *bus;
	int ret = log_init("spi-labsink");

	if (ret)
		return ret;
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
	return 0;

no_bus:
	platform_device_unregister(parent);
no_parent:
	log_exit();
	return ret;
}

/* after spidev itself, whatever the order of the drivers */
late_initcall(sink_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("Write-only SPI device for tests");
