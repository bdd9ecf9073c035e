// SPDX-License-Identifier: GPL-2.0
/*
 * The PWM of a Raspberry Pi's header, without a header: it takes every setting that the hardware would, and keeps it.
 *
 * It binds to the same nodes of the device tree as pwm-bcm2835 does. What was set stands in debugfs, pwm-labsink/log, a
 * line "node monotonic_ns channel enabled period_ns duty_ns" each; a write to that file empties it. Parameter pin: a
 * number does at run time what dtoverlay=pwm,pin=<number> does at boot, with the right func; -1 takes that back.
 */
#include <linux/debugfs.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/mutex.h>
#include <linux/of.h>
#include <linux/platform_device.h>
#include <linux/pwm.h>
#include <linux/seq_file.h>

#define SETTINGS 65536
static struct setting {
	const char *node; /* its name; devices come and go, nodes stay */
	u64 at_ns;
	unsigned int channel;
	bool enabled;
	u64 period_ns, duty_ns;
} *settings;
static size_t count;
static DEFINE_MUTEX(lock);
static struct dentry *dir;

static int sink_apply(struct pwm_chip *chip, struct pwm_device *pwm, const struct pwm_state *state)
{
	mutex_lock(&lock);
	if (count < SETTINGS)
		settings[count++] = (struct setting){ chip->dev->of_node->full_name, ktime_get_ns(), pwm->hwpwm,
						      state->enabled, state->period, state->duty_cycle };
	mutex_unlock(&lock);
	return 0;
}

static const struct pwm_ops sink_ops = {
	.apply = sink_apply,
	.owner = THIS_MODULE,
};

static int sink_probe(struct platform_device *pdev)
{
	struct pwm_chip *chip = devm_kzalloc(&pdev->dev, sizeof(*chip), GFP_KERNEL);

	if (!chip)
		return -ENOMEM;
	chip->dev = &pdev->dev;
	chip->ops = &sink_ops;
	chip->npwm = 2;
	return devm_pwmchip_add(&pdev->dev, chip);
}

static const struct of_device_id sink_match[] = { { .compatible = "brcm,bcm2835-pwm" }, {} };

static struct platform_driver sink_driver = {
	.probe = sink_probe,
	.driver = { .name = "bcm2835-pwm", .of_match_table = sink_match },
};

static int log_show(struct seq_file *file, void *unused)
{
	size_t i;

	mutex_lock(&lock);
	for (i = 0; i < count; i++)
		seq_printf(file, "%s %llu %u %d %llu %llu\n", settings[i].node, settings[i].at_ns,
			   settings[i].channel, settings[i].enabled, settings[i].period_ns, settings[i].duty_ns);
	mutex_unlock(&lock);
	return 0;
}

static int log_open(struct inode *inode, struct file *file)
{
	return single_open(file, log_show, NULL);
}

static ssize_t log_write(struct file *file, const char __user *data, size_t length, loff_t *at)
{
	mutex_lock(&lock);
	count = 0;
	mutex_unlock(&lock);
	return length;
}

static const struct file_operations log_fops = {
	.owner = THIS_MODULE,
	.open = log_open,
	.read = seq_read,
	.write = log_write,
	.llseek = seq_lseek,
	.release = single_release,
};

static int set(struct device_node *node, const char *name, const void *value, int length)
{
	struct of_changeset change;
	struct property *property = kzalloc(sizeof(*property), GFP_KERNEL);
	int ret;

	if (!node || !property)
		return -ENODEV;
	property->name = kstrdup(name, GFP_KERNEL);
	property->value = kmemdup(value, length, GFP_KERNEL);
	property->length = length;
	of_changeset_init(&change);
	ret = of_changeset_update_property(&change, node, property);
	return ret ? ret : of_changeset_apply(&change); /* the tree keeps it for good */
}

static int pin = -1;

static int pin_set(const char *text, const struct kernel_param *unused)
{
	struct device_node *pwm = of_find_node_by_path("/soc/pwm@7e20c000");
	struct device_node *pins = of_find_node_by_path("/soc/gpio@7e200000/pwm_pins");
	__be32 number, function;
	int ret = kstrtoint(text, 0, &pin);

	if (ret)
		return ret;
	ret = set(pwm, "status", "disabled", sizeof("disabled"));
	if (ret || pin < 0)
		return ret;
	number = cpu_to_be32(pin);
	function = cpu_to_be32(pin < 14 ? 4 : 2);
	ret = set(pins, "brcm,pins", &number, sizeof(number));
	if (!ret)
		ret = set(pins, "brcm,function", &function, sizeof(function));
	return ret ? ret : set(pwm, "status", "okay", sizeof("okay"));
}

static const struct kernel_param_ops pin_ops = { .set = pin_set, .get = param_get_int };
module_param_cb(pin, &pin_ops, &pin, 0644);

static int __init sink_init(void)
{
	settings = kvcalloc(SETTINGS, sizeof(*settings), GFP_KERNEL);
	if (!settings)
		return -ENOMEM;
	dir = debugfs_create_dir("pwm-labsink", NULL);
	debugfs_create_file("log", 0600, dir, NULL, &log_fops);
	return platform_driver_register(&sink_driver);
}

module_init(sink_init);
MODULE_LICENSE("GPL");
MODULE_DESCRIPTION("PWM controller for tests");
